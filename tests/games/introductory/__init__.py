"""Three introductory rule sets that many have learnt from, as data: what is published of them and sure; else `assumed`."""

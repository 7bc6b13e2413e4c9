/**
 * Real IP addresses of institutions with a stable location, by country, for tests of geolocation: the documentation addresses of RFC
 * 5737 have no location. Tests send nothing to them.
 */
export const PUBLIC_ADDRESSES = {
  /** RIPE NCC, Amsterdam. */
  NL: ['193.0.6.139', '2001:67c:2e8:22::c100:68b'],
  /** The University of Tokyo. */
  JP: ['133.11.0.1'],
  /** The Massachusetts Institute of Technology. */
  US: ['18.9.22.69'],
  /** NIC.br, São Paulo. */
  BR: ['200.160.2.3'],
  /** Deutsches Forschungsnetz, Berlin. */
  DE: ['194.95.249.1'],
} as const

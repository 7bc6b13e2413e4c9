/** /device: the person's side of a sign-in on a device without a keyboard (RFC 8628). */
export const deviceWords = {
  title: 'Connect a device',
  lead: 'Enter the code that your device shows.',
  code: 'Code',
  codeHint: 'Eight letters. Small letters and a missing dash are fine.',
  codeMissing: 'Enter the code that your device shows.',
  codeWrong: 'A code has eight letters, such as BCDF-GHJK.',
  never: 'Never enter a code that somebody sent you. Whoever it belongs to would be signed in as you.',
  submit: 'Continue',
  signedInAs: 'Signed in as',
  notYou: 'Not you?',

  approveTitle: (application: string) => `Connect ${application} on a device?`,
  approveLead: (application: string, team: string) =>
    `A device asks to use ${application} of ${team} as you. It gets to:`,
  badge: 'Device',
  sameCode: 'Does your device show this code?',
  place: 'Asked from',
  placeOf: (country: string, address: string) => `${country} (${address})`,
  unknownPlace: 'an unknown place',
  unknownCountry: 'Unknown country',
  when: 'When',
  program: 'By',
  warning:
    'Approve only what you began yourself, just now, on a device in front of you. If somebody sent you the code or the link, deny.',
  approve: 'Approve',
  deny: 'Deny',
  another: 'Enter another code',

  approvedTitle: 'Device connected',
  approvedLead: 'Return to your device. It goes on by itself in a moment, and you can close this page.',
  deniedTitle: 'Not connected',
  deniedLead: 'The device gets nothing. If you did not begin this yourself, you did right.',
  review: 'See what you allowed',
  connectAnother: 'Connect another device',
} as const

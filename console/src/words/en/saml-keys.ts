/** The keys by which others know us in SAML: an application, or the provider of a team. */
export const samlKeyWords = {
  ofApplication: {
    title: 'Keys',
    about:
      'By them your application knows that an assertion is from here. Before one ends, make the next and exchange them.',
    hint: 'Give the application the new certificate (it stands in the metadata as well). When it has it, exchange the keys.',
    risk: 'From now on assertions are signed by it. An application that does not have its certificate yet refuses every sign-in. The key before it stays published for 30 days.',
  },
  ofTeam: {
    title: 'Your keys for SAML',
    about:
      'By them your SAML providers know that a request is from this team, and encrypt to it. Before one ends, make the next and exchange them.',
    hint: 'Your providers find the new certificate in our metadata; give it to those that do not read them. When all have it, exchange the keys.',
    risk: 'From now on requests are signed by it. A provider that checks them and does not have its certificate yet refuses every sign-in. The key before it stays published for 30 days.',
  },
  active: 'Signs',
  next: 'Waits',
  retired: 'Still published',
  certificate: 'Certificate',
  validUntil: (day: string) => `Valid until ${day}`,
  endsAt: 'Ends',
  keyEnds: 'Ends soon',
  keyEnded: 'Ended',
  showCertificate: 'Show the certificate',
  ours: 'Our certificate',
  oursAbout:
    'Where it is asked for: it checks our requests and sign-outs by it, and encrypts to it. Our metadata have it too.',
  save: 'Save',
  prepare: 'Make the next key',
  prepared: 'The next key is published.',
  activate: 'Exchange now',
  activateTitle: 'Let the next key sign?',
  activated: 'The next key signs now.',
  end: 'End',
  endLabel: (fingerprint: string) => `End ${fingerprint}`,
  endTitle: 'End this key?',
  endText: {
    next: 'Its certificate is in no metadata any more. Whoever has it already need not take it out.',
    retired: 'Its certificate is in no metadata any more. Whoever knows us by it alone refuses us from then on.',
  },
  ended: 'The key was ended.',
} as const

const count = (number: number, one: string, more: string) => `${number} ${number === 1 ? one : more}`

/** Setting up and changing what an account is protected by besides its password. */
export const factorWords = {
  passkeys: 'Passkeys',
  passkeysAbout:
    'Sign in with your fingerprint, your face, a PIN or a security key. Nothing to type, nothing to steal.',
  passkeysNone: 'You have no passkey yet.',
  passkeysNowhere: 'This browser cannot make passkeys here.',
  addPasskey: 'Add a passkey',
  passkeyAdded: 'The passkey is added.',
  passkeyCancelled: 'No passkey was made. You can try again.',
  synced: 'Synced',
  oneDevice: 'On one device only',
  secondOnly: 'Only as a second factor',
  created: 'Added',
  lastUsed: 'Last used',
  neverUsed: 'Never used',

  authenticators: 'Authenticator apps',
  authenticatorsAbout: 'An app on your phone shows a code that you enter after your password.',
  authenticatorsNone: 'You have no authenticator app yet.',
  addAuthenticator: 'Add an app',
  authenticatorName: (number: number) => (number === 1 ? 'Authenticator app' : `Authenticator app ${number}`),
  authenticatorAdded: 'The authenticator app is added.',
  scan: 'Scan this with your authenticator app.',
  qrAlt: 'QR code with the secret key that is also written below',
  byHand: 'Or enter the key by hand:',
  secretLabel: 'secret key',
  openApp: 'Open an app on this device',
  codeLabel: 'Code that the app shows now',
  codeMissing: 'Enter the code that the app shows.',
  confirmCode: 'Confirm',
  setUpTitle: 'Set up an authenticator app',

  backupCodes: 'Backup codes',
  backupAbout: 'For when your other ways are not at hand. Each code works once.',
  backupLeft: (left: number) => `${left} of 10 left`,
  backupFew: 'Make a new set before they run out.',
  newCodes: 'Make a new set',
  newCodesTitle: 'Make new backup codes?',
  newCodesText: 'The codes that you have now stop working at once.',
  codesTitle: 'Your backup codes',
  codesLabel: 'backup codes',
  codesFor: (instance: string, email: string) => `Backup codes of ${email} at ${instance}`,
  codesMade: (date: string) => `Made on ${date}. Each works once.`,
  codesFile: 'backup-codes.txt',

  adaptive: 'When it is asked',
  adaptiveSwitch: 'Ask more when a sign-in looks unusual',
  adaptiveHint:
    'Your second factor is then asked only at a sign-in that looks unusual, such as one from a new device or place. Switched off, it is asked at every sign-in.',

  rename: 'Rename',
  renameLabel: (name: string) => `Rename ${name}`,
  renameTitle: 'Rename',
  nameLabel: 'Name',
  nameMissing: 'Enter a name.',
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removed: (name: string) => `${name} is removed.`,
  renamed: (name: string) => `The new name is ${name}.`,
  left: (passkeys: number, authenticators: number) =>
    `What is left: ${[
      ...(passkeys > 0 ? [count(passkeys, 'passkey', 'passkeys')] : []),
      ...(authenticators > 0 ? [count(authenticators, 'authenticator app', 'authenticator apps')] : []),
    ].join(' and ')}.`,
  lastOne: (hasPassword: boolean) =>
    `It is your last second factor: two-step sign-in ends, and your backup codes are removed. What is left to sign in with: ${
      hasPassword ? 'your password and links by email' : 'links by email'
    }.`,

  turnOff: 'Turn off two-step sign-in',
  turnOffAbout: 'Your account is then protected by what you sign in with alone.',
  turnOffVerb: 'Turn off',
  turnOffTitle: 'Turn off two-step sign-in?',
  turnOffGoes: (passkeys: number, authenticators: number, codes: number) => [
    ...(passkeys > 0 ? [`${count(passkeys, 'passkey is', 'passkeys are')} removed.`] : []),
    ...(authenticators > 0
      ? [`${count(authenticators, 'authenticator app is', 'authenticator apps are')} removed.`]
      : []),
    ...(codes > 0 ? [`${count(codes, 'backup code stops', 'backup codes stop')} working.`] : []),
  ],
  turnedOff: 'Two-step sign-in is off.',
  turnOffByPasskey: 'Turn off with a passkey',
  orPassword: 'Or with your password:',

  onTitle: 'Two-step sign-in is on',
  onText: 'Devices that signed in before stay signed in. If one of them may not be yours, sign out all others now.',
  signOutOthers: 'Sign out other devices',
  othersEnded: (ended: number) => (ended === 1 ? 'One device was signed out.' : `${ended} devices were signed out.`),

  enrollTitle: 'Protect your account',
  enrollLead:
    'Add a second factor, something that only you have: a stolen password alone then opens nothing. It takes about a minute.',
  enrollRequired:
    'A second factor is asked of you here, something that only you have: a stolen password alone then opens nothing. It takes about a minute.',
  enrollNow: 'It has to be set up before you can go on.',
  enrollUntil: (days: number, date: string) =>
    days === 0
      ? 'The time for it is over: your next sign-in asks for it.'
      : days === 1
        ? `You have until tomorrow, ${date}.`
        : `You have ${days} days left, until ${date}.`,
  enrollPasskey: 'Use a passkey',
  enrollPasskeyHint: 'Your fingerprint, face or PIN on this device, or a security key.',
  enrollAuthenticator: 'Use an app',
  enrollAuthenticatorHint: 'An authenticator app on your phone that shows codes.',
  skip: 'Skip until then',
  notNow: 'Not now',

  devices: 'Remembered devices',
  devicesAbout: 'Where you signed in before. A sign-in from one of them is less likely to look unusual.',
  devicesNone: 'No device is remembered.',
  forget: 'Forget',
  forgetLabel: (device: string) => `Forget ${device}`,
  forgotten: (device: string) => `${device} is forgotten.`,
  firstSeen: 'First seen',
} as const

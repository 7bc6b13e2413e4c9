const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** The second factor of a sign-in, and passkeys on the sign-in page. */
export const challengeWords = {
  passkey: {
    heading: 'Confirm with your passkey',
    lead: 'This account is protected by a second factor. Use your fingerprint, face, PIN or security key.',
    submit: 'Use a passkey',
  },
  totp: {
    heading: 'Enter your code',
    lead: 'This account is protected by a second factor. Open your authenticator app for the code.',
    label: 'Code from your app',
  },
  backup: {
    heading: 'Enter a backup code',
    lead: 'One of those that you stored when you set up your second factor. Each works once.',
    label: 'Backup code',
  },
  instead: {
    PASSKEY: 'Use a passkey',
    TOTP: 'Use your app’s code',
    BACKUP_CODE: 'Use a backup code',
  },
  submit: 'Confirm',
  codeMissing: 'Enter the code.',
  cancelled: 'No passkey was used. Try another method.',
  timeLeft: (seconds: number) => `This sign-in waits for another ${clock(seconds)}.`,
  minuteLeft: 'This sign-in waits for one more minute.',
  lost: 'Lost your device?',
  lostBackup: 'Use a backup code. If you have none, an administrator of your team can reset your second factor.',
  lostAsk: 'Ask an administrator of your team: they can reset your second factor.',
  otherTeam: {
    title: 'Sign in to another team',
    lead: 'This team requires two-step verification with a method that was set up for this team alone. Don’t have it? Continue in another of your teams.',
    next: 'Continue in another team',
    ownTeam: 'Create a team of your own',
  },
  cleanedTitle: 'This account was made by somebody else?',
  over: {
    late: 'The five minutes to confirm that it is you are over. Sign in once more.',
    tries: 'That was wrong five times, so this sign-in was ended. Sign in once more, with a fresh code.',
    over: 'This sign-in is over. Sign in once more.',
  },

  byPasskey: 'Sign in with a passkey',
} as const

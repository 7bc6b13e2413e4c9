const clock = (seconds: number) =>
  `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`

/** A limit of a day, such as that of the mails of a team, has no countdown. */
const inHours = (seconds: number): string | undefined =>
  seconds > 3_600 ? `The limit of today is reached. Try again in ${Math.ceil(seconds / 3_600)} hours.` : undefined

export const formWords = {
  email: 'Email',
  emailMissing: 'Enter your email address.',
  emailWrong: 'Enter an email address, like name@example.com.',
  password: 'Password',
  newPassword: 'New password',
  currentPassword: 'Current password',
  passwordMissing: 'Enter a password.',
  passwordRefused: (failed: string) => `The password ${failed}.`,
  showPassword: 'Show password',
  show: 'Show',
  hide: 'Hide',
  capsLock: 'Caps Lock is on.',
  optional: 'optional',
  retryIn: (seconds: number) => inHours(seconds) ?? `Too many attempts. Try again in ${seconds} seconds.`,
  retryClock: (seconds: number) => inHours(seconds) ?? `Too many attempts. Try again in ${clock(seconds)}.`,
  retryNow: 'You can try again now.',
  save: 'Save',
  saved: 'Saved',
  addRow: 'Add another',
  removeRow: (row: string) => `Remove ${row.charAt(0).toLowerCase()}${row.slice(1)}`,
  rules: {
    length: (count: number) => `At least ${count} characters`,
    uppercase: 'An uppercase letter',
    lowercase: 'A lowercase letter',
    number: 'A number',
    symbol: 'A symbol',
    history: (count: number) => (count === 1 ? 'Not your current password' : `None of your last ${count} passwords`),
    met: 'done',
    broken: (rule: string) => `Still missing: ${rule.charAt(0).toLowerCase()}${rule.slice(1)}.`,
  },
} as const

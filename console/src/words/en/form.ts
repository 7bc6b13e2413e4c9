const clock = (seconds: number) =>
  `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`

export const formWords = {
  email: 'Email',
  emailMissing: 'Enter your email address.',
  emailWrong: 'Enter an email address, like name@example.com.',
  password: 'Password',
  newPassword: 'New password',
  currentPassword: 'Current password',
  passwordMissing: 'Enter a password.',
  showPassword: 'Show password',
  show: 'Show',
  hide: 'Hide',
  capsLock: 'Caps Lock is on.',
  optional: 'optional',
  retryIn: (seconds: number) => `Too many attempts. Try again in ${seconds} seconds.`,
  retryClock: (seconds: number) => `Too many attempts. Try again in ${clock(seconds)}.`,
  retryNow: 'You can try again now.',
  rules: {
    length: (count: number) => `At least ${count} characters`,
    uppercase: 'An uppercase letter',
    lowercase: 'A lowercase letter',
    number: 'A number',
    symbol: 'A symbol',
    met: 'done',
    broken: (rule: string) => `Still missing: ${rule.charAt(0).toLowerCase()}${rule.slice(1)}.`,
  },
} as const

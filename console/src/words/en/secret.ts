/** Around a value that is shown once. */
export const secretWords = {
  once: 'Store it now, in a password manager or where it is needed: nobody can show it again.',
  masked: (label: string) => `The ${label}, hidden`,
  show: 'Show',
  download: 'Download .env',
  stored: 'I stored it',
  codesOnce:
    'Store them now, in a password manager or on paper: nobody can show them again. Each one works once, when your other ways are not at hand.',
  downloadCodes: 'Download',
  print: 'Print',
  codesStored: 'I stored these codes',
  leaveCodes: 'Leave this page? The codes have not been stored and cannot be shown again.',
  leave: 'Leave this page? The secret has not been stored and cannot be shown again.',
} as const

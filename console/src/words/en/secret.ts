/** Around a value that is shown once. */
export const secretWords = {
  once: 'Store it now, in a password manager or in the configuration of your application: nobody can show it again.',
  masked: (label: string) => `The ${label}, hidden`,
  show: 'Show',
  download: 'Download .env',
  stored: 'I stored it',
  leave: 'Leave this page? The secret has not been stored and cannot be shown again.',
} as const

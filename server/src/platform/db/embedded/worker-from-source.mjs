// Starts worker.ts where the server runs from TypeScript: tsx given to the main thread does not reach workers, and
// vitest's transform does not either. The set-up of the tests has translated it. The built server does not contain this file.
const translated = process.env.KEYWARD_TEST_WORKER
if (translated) await import(translated)
else {
  const { register } = await import('tsx/esm/api')
  register()
  await import('./worker.ts')
}

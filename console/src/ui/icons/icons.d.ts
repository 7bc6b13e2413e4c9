/** Modules that `vite-plugins/icons.ts` makes: the data of the paths of an icon. */
declare module 'virtual:outline/*' {
  const paths: readonly string[]
  export default paths
}

declare module 'virtual:logo/*' {
  const paths: readonly string[]
  export default paths
}

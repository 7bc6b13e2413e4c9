/** The types of Node 20 leave WebAssembly out; this is what we use of it. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string
  }
  function compile(bytes: Uint8Array): Promise<Module>
}

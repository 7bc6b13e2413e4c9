declare global {
  interface Window {
    /** by public/early-input.js */
    earlyInput?: { end: () => void; repeat?: () => void }
  }
}

/** Repeats the last click or submission that the page missed, because it was not hydrated yet. */
export function repeatEarlyInput(): void {
  const { earlyInput } = window
  delete window.earlyInput
  earlyInput?.end()
  earlyInput?.repeat?.()
  performance.mark('usable')
}

// Stores what the user clicks or submits before a page from the server is hydrated. src/sign-in/early-input.ts repeats it.
;(() => {
  const early = {}
  const onSubmit = (event) => {
    event.preventDefault()
    early.repeat = () => event.target.requestSubmit()
  }
  const onClick = (event) => {
    const button = event.target.closest('button[type=button]')
    if (button) early.repeat = () => button.click()
  }
  document.addEventListener('submit', onSubmit)
  document.addEventListener('click', onClick)
  early.end = () => {
    document.removeEventListener('submit', onSubmit)
    document.removeEventListener('click', onClick)
  }
  window.earlyInput = early
})()

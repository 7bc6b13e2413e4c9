/** Saves a string as a file. */
export const download = ({ name, text }: { name: string; text: string }): void =>
  saveFile({ name, content: new Blob([text], { type: 'text/plain' }) })

/** Saves a file with this content. */
export function saveFile({ name, content }: { name: string; content: Blob }): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

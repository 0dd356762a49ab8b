const FOR_SAFARI_MS = 10_000
/** Gives the person a file. */
export const saveAs = (name: string, file: Blob): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Some browsers read it only after the click has been heard.
  setTimeout(() => URL.revokeObjectURL(link.href), FOR_SAFARI_MS)
}
/** Gives the person a text as a file. */
export const download = (name: string, text: string, type: 'text/csv' | 'application/json'): void =>
  saveAs(name, new Blob([text], { type: `${type};charset=utf-8` }))

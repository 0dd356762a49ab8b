/** Whether a text is base64, padded; it is looked through as it stands, as a file in it may be large. */
export const isBase64 = (text: string): boolean => {
  const [padding] = /={0,2}$/.exec(text.slice(-2))!
  return (
    text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - padding.length))
  )
}

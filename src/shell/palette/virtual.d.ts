declare module 'virtual:palette-index' {
  const readings: Readonly<Record<string, string>>
  export default readings
}
declare module 'virtual:help-index' {
  const readings: Readonly<Record<string, string>>
  export default readings
}

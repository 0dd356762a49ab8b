export const faultOf: (message: string) => string | undefined

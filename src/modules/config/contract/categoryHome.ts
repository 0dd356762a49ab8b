import { designerCalls, setFallbackCall } from '#src/contract/designer.ts'

/** The home of a channel: a category of e-commerce in a city. */
export const categoryHome = {
  ...designerCalls('categoryHome'),
  setFallback: setFallbackCall('categoryHome'),
}

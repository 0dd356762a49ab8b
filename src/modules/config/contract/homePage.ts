import { designerCalls } from '#src/contract/designer.ts'

/** The home page of a city. */
export const homePage = designerCalls('home')

import { designerCalls } from './designer.ts'

/** The home page of a city. */
export const homePage = designerCalls('config/entry/homePage')

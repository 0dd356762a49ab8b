import { designerCalls } from '#src/contract/designer.ts'

/** The page of a brand, wherever it is opened. */
export const brandPage = designerCalls('brand')

import { z } from 'zod'
import { licenceFields, type LicenceField } from '#src/areas/merchant/licence.ts'
import { keysOf, open, unix } from '#src/contract/shapes.ts'

/** A reading takes its time, and may wait for others: longer than other calls are waited for. */
export const READING_MS = 40_000
export const licenceField = keysOf<LicenceField>(licenceFields)
/** What was read, as a suggestion: `fault` says why nothing was, `license_no` as the call shows it. */
export const readingOf = <T extends z.ZodType>(license_no: T) => ({
  fault: z.string(),
  values: z.object({
    license_no,
    name: z.string().optional(),
    legal_name: z.string().optional(),
    license_expire_at: unix.nullable().optional(),
    kind: z.string().optional(),
    established_at: unix.optional(),
    address: open('The registered address of a company', z.string()).optional(),
  }),
  checked: z.array(licenceField),
})

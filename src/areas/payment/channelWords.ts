import { cutToLength, keptWords, type Text } from '#src/domain/text.ts'

/** Signs of a channel's own code and sentence that fit beside our words in either language. */
const CODE = 40
const OWN = 60
type Faults = Readonly<Record<string, Text>>
/** What a code means by a table, where that knows it. */
export const knownFault = (faults: Faults, code: string | null): Text | undefined =>
  code !== null && Object.hasOwn(faults, code) ? faults[code] : undefined
/**
 * Words of a channel's refusal as its row keeps them (`unjoined`): ours where the table knows the
 * code, else the channel's own sentence, quoted as it came.
 */
export const refusalWords = (faults: Faults, code: string, own = ''): string => {
  const known = knownFault(faults, code)
  if (known) return keptWords(known)
  const said = cutToLength(own.trim(), OWN)
  const by = cutToLength(code, CODE)
  return keptWords(
    said
      ? [`渠道答复“${said}”（${by}）`, `The channel says “${said}” (${by})`]
      : [`渠道拒绝，未说明原因（${by}）`, `The channel refused and gave no reason (${by})`],
  )
}

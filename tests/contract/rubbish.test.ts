import { expect, it } from 'vitest'
import { urlOf, type Call } from '#src/contract/call.ts'
import { implementations } from '#src/implementations.ts'
import { parseInput } from '#src/server/call/parse.ts'

const writes: Call[] = implementations
  .flatMap(module => Object.values(module.calls as Record<string, Call>))
  .filter(call => call.kind === 'write')
const rubbish = [
  { nonsense: 1 },
  { id: 'x', version: {}, ids: 'all', tasks: [{}], reason: 5 },
  { id: -1 },
  { ids: ['x'], tasks: [[]] },
  { id: 1.5, version: null },
]
/** What is wrong with an input, by its fields; nothing where the call takes it. */
const faultsIn = (call: Call, input: object, lang: 'zh' | 'en'): Record<string, string> => {
  const parsed = parseInput(call.input, input, lang)
  return 'fields' in parsed ? parsed.fields : {}
}

// That a call is answered so over HTTP, too, stands in contract.test.ts.
it.each(writes.map(call => [`${call.method} ${urlOf(call)}`, call] as const))(
  '%s says of any rubbish, in either language, which field is wrong',
  (_, call) => {
    for (const input of rubbish) {
      const fields = Object.entries(faultsIn(call, input, 'zh'))
      expect([input, fields.length > 0]).toEqual([input, true])
      for (const [path, fault] of fields) {
        expect([path.length > 0, fault]).toEqual([true, expect.stringMatching(/[一-鿿]/)])
        // Nothing in zod's own English, nothing of our insides.
        expect(fault).not.toMatch(/Invalid|expected|received|zod|\.ts/)
        expect(fault).not.toMatch(/ \/ [A-Za-z]{2,}/)
      }
      for (const fault of Object.values(faultsIn(call, input, 'en')))
        expect(fault).not.toMatch(/[一-鿿]/)
    }
  },
)

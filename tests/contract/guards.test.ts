import { expect, test } from 'vitest'
import { z } from 'zod'
import { guarded } from '#src/contract/shapes.ts'
import { fieldWalk, guardsOf } from '#src/server/call/fields.ts'

const hidden = { field: () => 'hide' as const, masks: {} }
const phone = guarded('member.phone', z.string())
const hides = (schema: z.ZodType, value: unknown) => fieldWalk(schema)?.(value, hidden) ?? value

test('a guard holds whatever its field is wrapped in, and in a shape of which any part may lack', () => {
  for (const wrapped of [phone, phone.nullable(), phone.optional(), phone.readonly()])
    expect(hides(z.object({ phone: wrapped }), { phone: '13612341201' })).toEqual({})
  const some = z.object({ phone, at: z.int() }).partial()
  expect(hides(some, { phone: '13612341201', at: 1 })).toEqual({ at: 1 })
  expect(guardsOf(some)).toEqual(['member.phone'])
})

test('a guard stands on a field: one on what a list, a record or a choice holds is refused', () => {
  for (const schema of [
    z.array(phone),
    z.object({ phones: z.array(phone) }),
    z.record(z.string(), phone),
    z.union([phone, z.int()]),
  ])
    expect(() => fieldWalk(schema)).toThrow('member.phone')
})

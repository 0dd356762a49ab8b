import { expect, test } from 'vitest'
import { z } from 'zod'
import { contracts } from '#src/contracts.ts'
import { callsIn } from '../help/contracts.ts'

const inner = (schema: unknown): unknown =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
    ? inner(schema.unwrap())
    : schema
const shapeOf = (schema: unknown): Record<string, unknown> => {
  const of = inner(schema)
  return of instanceof z.ZodObject ? of.shape : {}
}
/** The fields of the rows that a call lists. */
const rowOf = (output: unknown): string[] => {
  const list = inner(shapeOf(output)['list'])
  return list instanceof z.ZodArray ? Object.keys(shapeOf(list.element)) : []
}
/** What is found by a number, and what a board counts: nobody works in their rows. */
const noLists = ['order/find', 'order/unshipped']
const ofOrders = Object.values(contracts)
  .flatMap(callsIn)
  .filter(({ path }) => path.startsWith('order/') && !noLists.includes(path))
  .filter(({ output }) => rowOf(output).includes('order_no'))

test('every row of an order, a case or a redemption says whose it is: a pane beside it shows the member', () => {
  expect(ofOrders.length).toBeGreaterThan(10)
  const silent = ofOrders.filter(({ output }) => !rowOf(output).includes('member_id'))
  expect(silent.map(({ path }) => path)).toEqual([])
})

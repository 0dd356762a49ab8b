import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { slimContract } from '../vite.config.ts'

const slim = (code: string) => slimContract(code, text => parseSync('contract.js', text).program)

test('the browser gets a contract without the shapes that only the server checks', () => {
  const code = slim(`export const audit = {
    lst: read('audit/lst', ['审核', 'Audit'], { input: z.object({ page: z.int() }), output: listOf(row), touches: ['audit'], permit: 'audit.view' }),
    pass: write('audit/pass', ['通过', 'Pass'], { input: z.object({ id }), output: z.object({ output: id }), touches: ['audit'], permit: 'audit.pass', undo: { call: () => audit.lst, input: done => ({ id: done.id }), seconds: 5 } }),
  }`)
  expect(code).toContain('input: z.object({ page: z.int() }), output: {}, touches')
  expect(code).toContain("{ input: {}, output: {}, touches: ['audit'], permit: 'audit.pass', undo: { call: () => audit.lst, input: done => ({ id: done.id }), seconds: 5 } }")
})
test('shapes of its own are marked as good to leave out; functions, texts and numbers stay as they are', () => {
  expect(slim("export const row = z.object({ id })\nconst most = 5\nexport const of = id => id\nconst same = { ...page }")).toBe("export const row = /* @__PURE__ */ (() => (z.object({ id })))()\nconst most = 5\nexport const of = id => id\nconst same = /* @__PURE__ */ (() => ({ ...page }))()")
})
test('an action keeps all but the shape of its rows', () => {
  expect(slim("const a = action(calls.pass, { title: '通过', on: row, takes: 'row' })")).toContain("{ title: '通过', on: {}, takes: 'row' }")
})

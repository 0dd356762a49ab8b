import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = ['src/kit', 'src/modules', 'src/shell', 'src/areas', 'commands'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => join(folder, name)),
)
/** A letter that is to be pressed, as a text says it in either language. */
const LETTER =
  /[按用] ?⇧?[A-Za-z](?![A-Za-z])|\b[Pp]ress ⇧?[A-Za-z]\b(?! )|先.*(?:（[A-Z\d]）| \([A-Z\d]\))|请.*（[A-Z]）/

test('no text names a key by its letter, as each person may choose another: Keyed does', () => {
  expect(files.length).toBeGreaterThan(1000)
  const named = files.flatMap(file =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter(line => LETTER.test(line))
      .map(line => `${file}: ${line.trim()}`),
  )
  expect(named).toEqual([])
})
test.each([
  "say(['没有事件，按 m 标注', 'None'])",
  "'选择一行，按 E 查看'",
  "'按⇧R 重试'",
  "'请先用 X 选中'",
  "'先切到批次（1）'",
  "'请导入账单文件（I）'",
])('%s is found', line => expect(line).toMatch(LETTER))
test.each(["text={['按 {add} 新增', '{add} adds one']}", "['按 SKU 统计', 'By SKU']"])(
  '%s is none',
  line => expect(line).not.toMatch(LETTER),
)

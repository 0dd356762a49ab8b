import { describe, expect, test } from 'vitest'
import { pages } from '#commands/index.ts'
import { opensAlone, pageAt, spelled } from '#src/shell/registry.ts'

describe.each(pages.map(page => [page.path, page] as const))('%s', (_, page) => {
  test.each([page.path.toUpperCase(), `${page.path}/`, page.path.replaceAll('/', '//'), `${page.path.replace('/manage', '//Manage')}///`])('is meant by %s, and spelled as it is', variant => {
    expect(pageAt(variant)).toBe(page)
    expect(spelled(`${variant}?a=B`).split('?')).toEqual([page.path, 'a=B'])
  })
})
test('a page of one record does not open alone', () => {
  expect(pages.filter(page => !opensAlone(page)).map(page => page.path)).toContain('/manage/audit/product/detail')
  expect(pages.filter(opensAlone).length).toBeGreaterThan(30)
})

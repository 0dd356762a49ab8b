import { describe, expect, test, vi } from 'vitest'
import { sections } from '#commands/contents.ts'
import { pages } from '#commands/index.ts'
import { opensAlone, pageAt, spelled } from '#src/shell/registry.ts'

/** In capitals, but for the parameters of a path. */
const loud = (path: string): string =>
  path
    .split('/')
    .map(part => (part.startsWith(':') ? part : part.toUpperCase()))
    .join('/')
describe.each(pages.map(page => [page.path, page] as const))('%s', (_, page) => {
  test.each([
    loud(page.path),
    `${page.path}/`,
    page.path.replaceAll('/', '//'),
    `${page.path.replace('/manage', '//Manage')}///`,
  ])('is meant by %s, and spelled as it is', variant => {
    expect(pageAt(variant)).toBe(page)
    expect(spelled(`${variant}?a=B`).split('?')).toEqual([page.path, 'a=B'])
  })
})
test.each(sections.map(({ key, pages }) => [key, pages] as const))(
  'the root of the module %s opens a page of the module, by its path alone',
  (key, own) => {
    const at = pageAt(spelled(key === 'home' ? '/manage' : `/manage/${key}`))
    expect(own).toContain(at)
    expect(at && opensAlone(at)).toBe(true)
  },
)
test.each([
  ['/manage/system', '/manage/system/dataIndex'],
  ['/manage/audit', '/manage/audit/bulks'],
  ['/manage/order', '/manage/order/visitor'],
  ['/manage/mall', '/manage/mall'],
  ['/Manage//ORDER/?page=2', '/manage/order/visitor?page=2'],
])('%s opens the default child of the specification, %s', (root, child) =>
  expect(spelled(root)).toBe(child),
)
test.each([
  ['/manage/ecoupon/index', '/ecoupon/index'],
  ['/Manage/Coupon//ECOUPON/index/add?copy=7', '/ecoupon/index/add?copy=7'],
])('%s is spelled below its own root, %s', (typed, at) => expect(spelled(typed)).toBe(at))
test('a page of one record does not open alone', () => {
  expect(pages.filter(page => !opensAlone(page)).map(page => page.path)).toContain(
    '/manage/audit/product/detail',
  )
  expect(pages.filter(opensAlone).length).toBeGreaterThan(30)
})

test.each(sections.map(section => section.key))(
  'what can be done on the pages of %s is known as soon as the first of them has come',
  async key => {
    vi.resetModules()
    const { actionsOf, actionsOfModule, everything } = await import('#src/shell/registry.ts')
    const { sections } = await import('#commands/contents.ts')
    const here = Object.values(sections.find(section => section.key === key)!.pages)
    const offered = () =>
      Object.fromEntries(
        here.map(page => [
          page.path,
          actionsOf(page)
            .map(action => action.id)
            .sort(),
        ]),
      )
    await actionsOfModule(key)
    const known = offered()
    await everything()
    expect(known).toEqual(offered())
    expect(Object.values(known).flat().length).toBeGreaterThan(here.length)
  },
)

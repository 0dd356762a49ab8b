import { describe, expect, test } from 'vitest'
import { pages } from '#commands/index.ts'
import { resolve, safeReturn, screenOf, tidy } from '#src/shell/address.ts'
import { activeEntry } from '#src/shell/menu-order.ts'
import { shownAt } from '#src/shell/panes/shown.ts'
import { above, menuPlace, pageAt, spelled } from '#src/shell/registry.ts'
import { nearest } from '#src/shell/session/nearest.ts'

describe('a page that one may not open', () => {
  test('is not told of: neither its title nor what stands above it', () => {
    for (const page of pages) {
      expect(
        shownAt(spelled(page.path), () => false),
        page.path,
      ).toBe('denied')
      const seen = shownAt(spelled(page.path), permit => permit === page.permit)
      expect(seen, page.path).toMatchObject({ page })
      for (const one of (seen as { above: typeof pages }).above)
        expect(one.permit).toBe(page.permit)
    }
    expect(shownAt('/manage/nowhere/at/all', () => false)).toBe('missing')
  })
})

describe('addresses', () => {
  test('extra slashes, a trailing one, backslashes and a hash are forgiven', () => {
    expect(
      [
        '/manage//audit/bulks/',
        '/manage\\audit\\bulks',
        '/manage/audit/bulks#x',
        'manage/audit/bulks',
      ].map(tidy),
    ).toEqual(Array(4).fill('/manage/audit/bulks'))
    expect([tidy('/'), tidy('/manage/?a=//'), tidy('')]).toEqual(['/', '/manage?a=//', '/'])
  })
  test('links', () =>
    expect([
      resolve('?a=1', '/manage/x?b=2'),
      resolve('/y', '/manage/x'),
      resolve('y', '/manage/x'),
      resolve('', '/manage/x?b=2'),
    ]).toEqual(['/manage/x?a=1', '/y', '/manage/y', '/manage/x?b=2']))
  test('screens', () =>
    expect(
      [
        '/',
        '/manage',
        '/MANAGE/x',
        '/managed',
        '/ecoupon/index',
        '/ecoupons',
        '/error',
        '/x/login',
        '/x?from=LOGIN',
        '/nowhere',
      ].map(screenOf),
    ).toEqual([
      'root',
      'manage',
      'manage',
      'unknown',
      'manage',
      'unknown',
      'error',
      'login',
      'login',
      'unknown',
    ]))
  test('one returns only into the console of this origin', () => {
    expect(safeReturn('/manage/audit/bulks?page=2')).toBe('/manage/audit/bulks?page=2')
    expect(
      [
        '//evil.example',
        '/\\evil.example',
        'https://evil.example/manage',
        'javascript:alert(1)',
        '/\tmanage',
        '/',
        '/nowhere',
        '',
        null,
      ].map(safeReturn),
    ).toEqual(Array(9).fill(null))
  })
  test('a real path in other letter case is opened under its own name', () => {
    expect(pageAt('/Manage/AUDIT/bulks/')?.path).toBe('/manage/audit/bulks')
    expect(spelled('/Manage//Audit/Bulks/?Keyword=Ab')).toBe('/manage/audit/bulks?Keyword=Ab')
    expect(pageAt('/manage/audit/bulk')).toBeUndefined()
  })
  test('breadcrumbs come from the registry', () =>
    expect(above(pageAt('/manage/audit/product/detail')!).map(page => page.path)).toEqual([
      '/manage',
      '/manage/audit/product',
    ]))
  test('a form stands below its list, in the menu too, though its path does not say so', () => {
    const form = '/manage/stores/editStores?id=1'
    expect(above(pageAt(form)!).map(page => page.path)).toEqual([
      '/manage',
      '/manage/stores/stores',
    ])
    expect([menuPlace(form), menuPlace('/manage/audit/product/detail?id=1')]).toEqual([
      '/manage/stores/stores',
      '/manage/audit/product/detail?id=1',
    ])
  })
  test('the nearest pages, of those one may open', () => {
    const permits = pages.map(page => page.permit)
    expect(nearest('/manage/audit/bulk', permits)[0]?.path).toBe('/manage/audit/bulks')
    expect(nearest('/manage/audti/card', permits)[0]?.path).toBe('/manage/audit/card')
    expect(nearest('/manage/audit/bulk', []).every(page => page.permit === 'signed-in')).toBe(true)
  })
  test('the active entry is found by shortening the path', () => {
    const leaf = (id: number, redirect: string) => ({ id, title: '', redirect, children: [] })
    const menu = [
      leaf(1, '/manage'),
      { id: 2, title: '', redirect: '', children: [leaf(3, '/manage/audit/product')] },
    ]
    expect([
      activeEntry(menu, '/manage/audit/product/detail?id=1')?.id,
      activeEntry(menu, '/manage/audit/bulks')?.id,
      activeEntry(menu, '/elsewhere'),
    ]).toEqual([3, 1, undefined])
  })
})

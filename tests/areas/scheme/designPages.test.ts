import { expect, it } from 'vitest'
import { cityPages, designerOf } from '#commands/config/designPages.ts'
import { pages } from '#commands/index.ts'
import { pageTypes, type PageType } from '#src/areas/scheme/blocks.ts'

it.each(Object.keys(pageTypes) as PageType[])('a %s page is designed on a page', type => {
  const [path] = designerOf({ type, city_id: 3 }).split('?')
  expect(pages.map(page => page.path)).toContain(path)
})
it('is named by what it is of, and begun by a city where that is all', () => {
  const of = { type: 'home' as const, city_id: 3, category_id: 7, brand_id: 0 }
  expect(designerOf(of)).toBe('/manage/config/entry/homePage?city_id=3&category_id=7')
  expect(Object.keys(cityPages)).toContain('home')
})

import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['brand.index.*'],
  content: ['brand.index.view', 'brand.index.edit', 'brand.index.export'],
  city_manager: ['brand.index.view', 'brand.index.bindStores', 'brand.index.bindGoods'],
}

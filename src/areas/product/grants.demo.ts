import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

/** What whoever runs the deals of a city does with them; forcing one off is the head office's. */
const running = [
  'view',
  'onShelf',
  'offShelf',
  'editStock',
  'saveGrid',
  'import',
  'setSort',
  'batchUpdateStartAndCheckTime',
  'timeLogs',
  'undoBatch',
  'batchOff',
  'export',
].map(verb => `shop.goods.${verb}`)
const shipping = [
  'view',
  'onShelf',
  'offShelf',
  'editStock',
  'editPrice',
  'setLimit',
  'setSort',
  'saveGrid',
  'import',
  'batchOff',
  'batchEditPrice',
  'export',
].map(verb => `stores.goods.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['config.entry.eCategoryConfig.*', 'shop.goods.*'],
  content: ['config.entry.eCategoryConfig.view'],
  city_manager: [...running, ...shipping],
  risk: ['shop.goods.view', 'shop.goods.forceOff', 'stores.goods.view', 'stores.goods.forceOff'],
  read_only: ['shop.goods.view', 'stores.goods.view'],
}

import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const shown = ['shop.index.view']
const storesShown = ['shop.stores.view', 'stores.stores.view', 'stores.linkGoods.view']
const filling = [
  'view',
  'saveDraft',
  'ocrLicense',
  'checkDuplicate',
  'verifyBank',
  'confirmBank',
  'submit',
].map(verb => `shop.index.add.${verb}`)
export const grants: DemoGrants = {
  ops_director: [
    'shop.index.*',
    'shop.cate.*',
    'shop.facility.*',
    'shop.bd.*',
    'shop.stores.*',
    'stores.*',
  ],
  content: ['shop.cate.view', 'shop.facility.*'],
  risk: [...shown, ...storesShown, 'shop.index.freeze', 'shop.index.unfreeze', 'shop.index.export'],
  finance: [...shown, 'shop.index.revealBank', 'shop.index.export'],
  city_manager: [
    ...shown,
    ...filling,
    'shop.bd.view',
    'shop.bd.claimOrphan',
    'shop.bd.assign',
    'shop.bd.export',
    'shop.index.create',
    'shop.index.submit',
    'shop.index.withdraw',
    'shop.index.edit',
    'shop.index.renew',
    'shop.index.resetPassword',
    'shop.index.export',
    'shop.stores.*',
    'stores.stores.*',
    'stores.addStores.*',
    'stores.editStores.*',
    'stores.linkGoods.*',
  ],
  read_only: [...shown, ...storesShown],
}

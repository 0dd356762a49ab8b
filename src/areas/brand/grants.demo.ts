import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['brand.index.*', 'brand.audit.*', 'shop.brand.*'],
  auditor: [
    'view',
    'claim',
    'claimNext',
    'unclaim',
    'approve',
    'approveApart',
    'approveAsExisting',
    'reject',
    'askMore',
    'compare',
    'batchReject',
  ].map(verb => `brand.audit.${verb}`),
  senior_auditor: ['brand.audit.*'],
  read_only: ['brand.audit.view'],
  content: ['brand.index.view', 'brand.index.edit', 'brand.index.export', 'shop.brand.*'],
  city_manager: [
    'brand.index.view',
    'brand.index.bindStores',
    'brand.index.bindGoods',
    'brand.audit.submit',
    'brand.audit.resubmit',
    'shop.brand.*',
  ],
}

import { brandAuditActions as actions, brandReading as reading } from '#commands/brand/audit.ts'
import { applicationCan, kindsIn } from '#src/areas/application/application.ts'
import { brandRefuseCodes, shortBrandRule } from '#src/areas/brand/brandBody.ts'
import { unixNow } from '#src/domain/time.ts'
import { textColumn } from '#src/kit/cells.tsx'
import { queueColumns, queuePage } from '#src/kit/queue-page.tsx'
import { brandAudit as calls, type BrandItem } from '../contract/audit.ts'
import { BrandApplication } from '../parts/application.tsx'

const kinds = kindsIn('brand')
const names = { kinds, codes: brandRefuseCodes, flag: shortBrandRule }

/** What merchants apply for of brands, to be decided one after another. */
export default queuePage({
  calls,
  actions,
  reading,
  decisions: [
    actions.approve,
    actions.approveAsExisting,
    actions.approveApart,
    actions.reject,
    actions.askMore,
  ],
  columns: queueColumns<BrandItem>(
    names,
    ['品牌', 'Brand'],
    [
      { ...textColumn('merchant_name', ['商户', 'Merchant'], 180), grow: true },
      textColumn('category_name', ['分类', 'Category'], 120),
      {
        key: 'trademark_no',
        title: ['商标注册号', 'Trademark'],
        width: 100,
        cell: row => <span className="m-num">{row.body.trademark_no}</span>,
      },
    ],
  ),
  kinds,
  label: ['品牌申请', 'Applications for brands'],
  placeholder: ['品牌名称或编号', 'Brand or number'],
  mine: (row, me) => applicationCan('approve', row, me, unixNow()) === true,
  pictured: ({ task: { body } }) =>
    [body.trademark_image, body.logo, ...body.chain.map(link => link.image)].some(Boolean),
  View: BrandApplication,
})

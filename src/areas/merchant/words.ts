import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { agreementTypes, agreementStates } from './agreement.ts'
import { facilityGroups, facilityScopes } from './facility.ts'
import { bankKinds, merchantStates, settleCycles } from './merchant.ts'
import { shopProductKinds } from './shopCategory.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  agreement: {
    title: ['协议文本', 'Agreement'],
    fields: {
      type: { title: ['类型', 'Type'], kind: 'enum', options: agreementTypes },
      state: { title: ['状态', 'State'], kind: 'enum', options: agreementStates },
      content: { title: ['正文', 'Text'] },
      summary: { title: ['变更摘要', 'Summary'] },
      force_consent: { title: ['要求重新同意', 'Consent anew'], kind: 'flag' },
      effective_at: { title: ['生效时间', 'In force from'], kind: 'time' },
      withdraw_reason: { title: ['撤回原因', 'Why withdrawn'] },
    },
  },
  merchant: {
    title: ['商户', 'Merchant'],
    fields: {
      name: { title: ['商户名称', 'Name'] },
      status: { title: ['状态', 'State'], kind: 'enum', options: merchantStates },
      status_reason: { title: ['状态原因', 'Why'] },
      license_no: { title: ['统一社会信用代码', 'Credit code'] },
      license_expire_at: { title: ['执照有效期', 'Licence until'], kind: 'time' },
      legal_name: { title: ['法人', 'Legal person'] },
      legal_id_no: { title: ['法人证件号', 'ID number'] },
      contact_name: { title: ['联系人', 'Contact'] },
      contact_phone: { title: ['联系电话', 'Phone'] },
      contract_start_at: { title: ['合同开始', 'Contract from'], kind: 'time' },
      contract_end_at: { title: ['合同到期', 'Contract until'], kind: 'time' },
      commission_bp: {
        title: ['抽佣比例', 'Take rate'],
        kind: 'percent',
        guard: 'product.commission_bp',
      },
      next_commission_bp: {
        title: ['新抽佣比例', 'New take rate'],
        kind: 'percent',
        guard: 'product.commission_bp',
      },
      commission_from_at: { title: ['新比例生效', 'New rate from'], kind: 'time' },
      bank_kind: { title: ['账户类型', 'Kind of account'], kind: 'enum', options: bankKinds },
      bank_holder: { title: ['户名', 'Account holder'] },
      bank_name: { title: ['开户行', 'Bank'] },
      bank_no: { title: ['结算账号', 'Account'] },
      settle_cycle: { title: ['结算周期', 'Settled'], kind: 'enum', options: settleCycles },
      bd_admin_id: { title: ['BD', 'BD'], kind: 'name', of: 'admin', none: ['无', 'None'] },
      app_must_change: { title: ['下次登录须改密码', 'New password at sign-in'], kind: 'flag' },
      taken_off: { title: ['下架商品数', 'Products taken off'], kind: 'number' },
      given_back: { title: ['恢复在售商品数', 'Products back on sale'], kind: 'number' },
    },
  },
  e_category: {
    title: ['电商分类', 'E-commerce category'],
    fields: {
      parent_id: {
        title: ['上级', 'Under'],
        kind: 'name',
        of: 'category',
        none: ['最上级', 'The top'],
      },
      icon: { title: ['图标', 'Icon'] },
      picture: { title: ['配图', 'Picture'] },
      commission_bp: {
        title: ['佣金比例', 'Commission'],
        kind: 'percent',
        none: ['沿用', 'Taken over'],
      },
      need_licenses: { title: ['资质要求', 'Licences'], kind: 'list' },
      return_policy: { title: ['退货政策', 'Returns'], none: ['沿用', 'Taken over'] },
      status: {
        title: ['展示', 'Shown'],
        kind: 'enum',
        options: { on: ['显示', 'Shown'], off: ['隐藏', 'Hidden'] },
      },
      searchable: { title: ['可搜索', 'Found by searching'], kind: 'flag' },
      merged_into: { title: ['合并到', 'Merged into'], kind: 'name', of: 'category' },
      products_in: {
        title: ['商品所在分类', 'Where the products are'],
        kind: 'name',
        of: 'category',
      },
      moved: { title: ['移走的商品', 'Products moved'], kind: 'number' },
      children: { title: ['移走的下级', 'Children moved'], kind: 'number' },
    },
  },
  facility: {
    title: ['设施', 'Facility'],
    fields: {
      name: { title: ['名称', 'Name'] },
      icon: { title: ['图标', 'Icon'] },
      group: { title: ['分组', 'Group'], kind: 'enum', options: facilityGroups },
      scope: { title: ['适用于', 'For'], kind: 'enum', options: facilityScopes },
      status: {
        title: ['展示', 'Shown'],
        kind: 'enum',
        options: { on: ['展示', 'Shown'], off: ['隐藏', 'Hidden'] },
      },
      merged_into: { title: ['合并到', 'Merged into'], kind: 'number' },
      moved: { title: ['改为目标设施', 'Moved'], kind: 'number' },
      order: { title: ['顺序', 'Order'], kind: 'list' },
      marked_stores: { title: ['标注的门店', 'Stores marked'], kind: 'names', of: 'store' },
      unmarked_stores: { title: ['取消标注的门店', 'Stores unmarked'], kind: 'names', of: 'store' },
      marked_malls: { title: ['标注的商场', 'Malls marked'], kind: 'names', of: 'mall' },
      unmarked_malls: { title: ['取消标注的商场', 'Malls unmarked'], kind: 'names', of: 'mall' },
    },
  },
  shop_category: {
    title: ['经营分类', 'Store category'],
    fields: {
      parent_id: {
        title: ['上级', 'Under'],
        kind: 'name',
        of: 'category',
        none: ['最上级', 'The top'],
      },
      icon: { title: ['图标', 'Icon'] },
      commission_bp: {
        title: ['默认费率', 'Take rate'],
        kind: 'percent',
        none: ['沿用', 'Taken over'],
      },
      need_licenses: { title: ['必备资质', 'Licences'], kind: 'list' },
      product_kinds: {
        title: ['可售类型', 'Sells'],
        kind: 'enums',
        options: shopProductKinds,
        none: ['不限', 'All'],
      },
      status: {
        title: ['展示', 'Shown'],
        kind: 'enum',
        options: { on: ['展示', 'Shown'], off: ['隐藏', 'Hidden'] },
      },
      merged_into: { title: ['合并到', 'Merged into'], kind: 'name', of: 'category' },
      moved: { title: ['移走的门店与商品', 'Stores and products moved'], kind: 'number' },
      children: { title: ['移走的下级', 'Children moved'], kind: 'number' },
    },
  },
  bd: {
    title: ['BD 管辖', 'BD assignment'],
    fields: {
      bd_admin_id: { title: ['BD', 'BD'], kind: 'name', of: 'admin', none: ['无', 'None'] },
      stores: { title: ['移交的门店', 'Stores'], kind: 'number' },
      merchants: { title: ['移交的商户', 'Merchants'], kind: 'number' },
    },
  },
  bd_target: {
    title: ['BD 月度目标', 'BD target'],
    fields: {
      gmv_target_cents: {
        title: ['成交额目标', 'Sales'],
        kind: 'money',
        guard: 'stat.gmv_cents',
      },
      new_store_target: { title: ['新开门店目标', 'New stores'], kind: 'number' },
    },
  },
  store: {
    title: ['门店', 'Store'],
    fields: {
      bd_admin_id: { title: ['BD', 'BD'], kind: 'name', of: 'admin', none: ['无', 'None'] },
      floor_id: { title: ['楼层编号', 'Floor'], kind: 'number' },
      floor: { title: ['楼层', 'Floor'] },
      mall_id: {
        title: ['商场', 'Mall'],
        kind: 'name',
        of: 'mall',
        none: ['商场外', 'Outside malls'],
      },
      door_no: { title: ['门牌号', 'Door'] },
      is_recommend: { title: ['推荐', 'Recommended'], kind: 'flag' },
      status: { title: ['状态', 'State'], kind: 'enum', options: storeStates },
      status_reason: { title: ['状态原因', 'Why'] },
      rest_until_at: { title: ['预计恢复', 'Opens again'], kind: 'time' },
      taken_off: { title: ['下架商品数', 'Products taken off'], kind: 'number' },
      given_back: { title: ['恢复在售商品数', 'Products back on sale'], kind: 'number' },
      linked: { title: ['适用商品', 'Products'], kind: 'names', of: 'product' },
      product_id: { title: ['商品', 'Product'], kind: 'name', of: 'product' },
      unavailable_dates: { title: ['不可用日期', 'Excluded dates'], kind: 'list' },
      stock: { title: ['门店库存', 'Stock here'], kind: 'number' },
    },
  },
}

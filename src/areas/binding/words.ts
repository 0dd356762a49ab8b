import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { bindingAskStates, bindingRoles, bindingSources, bindingStates } from './binding.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  dist_binding: {
    title: ['客户绑定', 'Binding'],
    fields: {
      member_id: { title: ['客户', 'Customer'], kind: 'name', of: 'member' },
      distributor_id: { title: ['分销员', 'Seller'], kind: 'name', of: 'distributor' },
      role: { title: ['身份', 'Role'], kind: 'enum', options: bindingRoles },
      source: { title: ['来源', 'Source'], kind: 'enum', options: bindingSources },
      expire_at: { title: ['到期时间', 'Until'], kind: 'time' },
      pool_store_id: { title: ['门店客户池', 'Pool of'], kind: 'name', of: 'store' },
      end_reason: { title: ['结束原因', 'Why it ended'] },
      status: { title: ['状态', 'State'], kind: 'enum', options: bindingStates },
    },
  },
  dist_binding_ask: {
    title: ['转移申请', 'Transfer'],
    fields: {
      to_id: { title: ['转给', 'To'], kind: 'name', of: 'distributor' },
      reason: { title: ['原因', 'Reason'] },
      state: { title: ['状态', 'State'], kind: 'enum', options: bindingAskStates },
      reject_reason: { title: ['驳回原因', 'Why rejected'] },
    },
  },
}

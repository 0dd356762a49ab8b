import { codeCalls, codeDetailCalls, decideCalls, orderCalls, tagCall } from './shared.ts'

export const bulks = {
  ...orderCalls('bulks', '团购订单', 'Group-buy orders'),
  ...decideCalls('bulks'),
  ...codeCalls('bulks'),
  ...tagCall('bulks'),
}
export const bulksDetail = codeDetailCalls('bulks')

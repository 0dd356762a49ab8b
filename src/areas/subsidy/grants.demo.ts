import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const plans = (...verbs: string[]) => verbs.map(verb => `settle.subsidy.${verb}`)
const logs = (...verbs: string[]) => verbs.map(verb => `settle.subsidyLogs.${verb}`)
/** Operations asks for money, and finance or a senior auditor grants it. */
export const grants: DemoGrants = {
  ops_director: ['settle.subsidy.*', ...logs('view', 'groupBy', 'export')],
  finance: ['settle.subsidy.*', 'settle.subsidyLogs.*'],
  senior_auditor: [
    ...plans('view', 'approve', 'reject', 'addBudget', 'cutBudget', 'simulate'),
    ...logs('view', 'groupBy', 'approveClaim', 'rejectClaim'),
  ],
  risk: [...plans('view'), ...logs('view', 'groupBy', 'flag', 'unflag', 'clawback')],
  read_only: [...plans('view'), ...logs('view')],
}

import { WithdrawalState } from '#src/kit/withdrawal-looks.tsx'
import type { Specimen } from '../specimen.ts'

const states = ['pending', 'approved', 'paying', 'wait_confirm', 'paid'] as const
const over = ['failed', 'rejected', 'canceled'] as const
export const specimen: Specimen = {
  part: 'withdrawal-looks',
  title: ['提现单的状态', 'State of a withdrawal'],
  states: [
    {
      name: ['在途', 'Under way'],
      draw: () => states.map(status => <WithdrawalState key={status} row={{ status }} />),
    },
    {
      name: ['失败与结束', 'Failed and over'],
      draw: () => over.map(status => <WithdrawalState key={status} row={{ status }} />),
    },
    {
      name: ['挂起、撤销中、待复审', 'On hold, being canceled, second review'],
      draw: () => (
        <>
          <WithdrawalState row={{ status: 'approved', hold: true }} />
          <WithdrawalState row={{ status: 'wait_confirm', canceling: true }} />
          <WithdrawalState row={{ status: 'pending', need_second: true, reviewer_id: 1 }} />
        </>
      ),
    },
  ],
}

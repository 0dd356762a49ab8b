import type { Action } from '#commands/command.ts'
import { AskDialog } from '#src/kit/ask.tsx'
import type { Refused } from '#src/kit/refused.ts'
import { edit, refuse, turnOff } from '../actions.ts'
import { longNames, rows } from '../rows.ts'
import type { Specimen, State } from '../specimen.ts'

const one = rows.slice(0, 1).map(row => ({ ...row, name: longNames[0]! }))
/** A dialog that is done when it is sent, unless it is refused. */
const asking = (
  name: State['name'],
  action: Action,
  { of = one, refused }: { of?: readonly object[]; refused?: Refused } = {},
): State => ({
  name,
  layer: true,
  draw: close => (
    <AskDialog
      action={action}
      rows={of}
      cancel={close}
      submit={async () => {
        if (!refused) close()
        return refused ?? true
      }}
    />
  ),
})
export const specimen: Specimen = {
  part: 'ask',
  title: ['操作的提问', 'Questions of an action'],
  states: [
    asking(['只确认', 'Confirm only'], turnOff),
    asking(['多行，要输入项数', 'Many rows, counted'], turnOff, { of: rows }),
    asking(['原因', 'A reason'], refuse),
    asking(['七个问题，两列', 'Seven questions'], edit),
    asking(['服务器指出字段', 'Refused at a field'], edit, {
      refused: { fields: { name: '名称已被占用' }, message: '有 1 处需要修改' },
    }),
    {
      name: ['他人刚刚修改', 'Changed by somebody else'],
      layer: true,
      draw: close => (
        <AskDialog
          action={turnOff}
          rows={one}
          newer={{
            by: { id: 2, name: '吴', at: 1_795_600_000 } as never,
            before: one[0],
            now: one[0],
          }}
          left="2 项已停用，不在其中"
          cancel={close}
          submit={async () => true}
        />
      ),
    },
  ],
}

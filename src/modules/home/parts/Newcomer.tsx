import { Button } from '@blueprintjs/core'
import { Circle, Cross, TickCircle } from '@blueprintjs/icons'
import { practice } from '#commands/pages/audit.ts'
import type { Result } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useSetting } from '#src/kit/memory.ts'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { practice as calls } from '#src/modules/practice/contract.ts'
import { Panel } from './Panel.tsx'
import { leadOf } from './plan.ts'

/** Right at the first try in one round: so many are enough. */
const ENOUGH = 6
type Mine = Result<typeof calls.mine>
type Step = { title: Text; note: Text; done: number; of: number }
/** The three steps into practice, with how far each is. */
export const stepsOf = (of: Mine): Step[] => {
  const whole = of.rounds_done > 0
  return [
    {
      title: ['试判第一条', 'Decide your first one'],
      note: [
        '界面与按键和真实审核相同，不影响真实数据',
        'The same page and keys; nothing real is touched',
      ],
      done: whole ? 1 : Math.min(1, of.decided),
      of: 1,
    },
    {
      title: ['判完一轮', 'Finish a round'],
      note: ['每判断一条，都会说明对错与依据', 'After each you are told what was right, and why'],
      done: whole ? of.size : of.decided,
      of: of.size,
    },
    {
      title: ['一轮判对 6 条以上', 'Six right in one round'],
      note: [
        '只算首次判断；不够就再练一轮',
        'The first decision counts; practise another round if needed',
      ],
      done: Math.min(ENOUGH, Math.max(of.best ?? 0, of.right)),
      of: ENOUGH,
    },
  ]
}
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

/** Whether somebody begins here: they may practise, decide nothing real yet, and have not put it away. */
export const useNewcomer = () => {
  const { me, setting } = useWorkbench()
  const lead = leadOf(me.can)
  const [away, putAway] = useSetting(setting('home.newcomer.away', isFlag, false))
  const may = me.can(practice.permit) && (lead === 'newcomer' || lead === 'auditor') && !away
  const { data } = useRead(calls.mine, may ? {} : skipToken)
  const steps = may && data && !data.decided_real ? stepsOf(data) : []
  const open = steps.some(step => step.done < step.of)
  return { steps: open ? steps : [], putAway: () => putAway(true) }
}

export const Newcomer = ({ steps, putAway }: { steps: readonly Step[]; putAway: () => void }) => {
  const say = useSay()
  const { open } = useWorkbench()
  const next = steps.findIndex(step => step.done < step.of)
  const begun = steps.some(step => step.done > 0)
  return (
    <Panel
      title={say(['新人上手：先在练习里试手', 'Getting started: practise first'])}
      aside={
        <Button
          size="small"
          variant="minimal"
          icon={<Cross />}
          text={say(['不再显示', 'Do not show again'])}
          onClick={putAway}
        />
      }
    >
      <ol className="h-steps">
        {steps.map((step, at) => (
          <li key={step.title[0]} data-next={at === next || undefined}>
            {step.done >= step.of ? (
              <TickCircle className="h-good" title={say(['已完成', 'Done'])} />
            ) : (
              <Circle className="m-muted" title={say(['未完成', 'Not done'])} />
            )}
            <div>
              <strong>{say(step.title)}</strong>
              <div className="m-muted">{say(step.note)}</div>
            </div>
            <progress
              max={step.of}
              value={step.done}
              aria-label={say(step.title)}
              aria-valuetext={`${step.done} / ${step.of}`}
            />
            <span className="m-num">
              {step.done} / {step.of}
            </span>
          </li>
        ))}
      </ol>
      <Button intent="primary" onClick={() => open(practice.path)}>
        {begun ? say(['继续练习', 'Keep practising']) : say(['开始练习', 'Start practising'])}
      </Button>
    </Panel>
  )
}

import type { ReactNode } from 'react'
import { When } from './show.tsx'

/** A step of a way: behind, where it stands, to come, where it was stopped, or where it failed. */
export type BarStep = {
  key: string
  title: string
  mark: 'done' | 'now' | 'todo' | 'stop' | 'fail'
  /** Unix seconds. */
  at?: number | undefined
  /** Stands instead of the time. */
  note?: ReactNode
}
/** The way of a thing in steps, each with its time or what it waits for. */
export const StepBar = ({ label, steps }: { label: string; steps: readonly BarStep[] }) => (
  <ol className="m-steps" aria-label={label}>
    {steps.map(step => (
      <li
        key={step.key}
        data-at={step.mark}
        aria-current={['now', 'stop', 'fail'].includes(step.mark) ? 'step' : undefined}
      >
        <b>{step.title}</b>
        {step.note ?? (step.at ? <When at={step.at} /> : ' ')}
      </li>
    ))}
  </ol>
)

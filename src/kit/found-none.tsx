import { Button } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import type { Text } from '#src/domain/text.ts'
import type { CallError } from './data.ts'
import { useSay } from './text.ts'

/** A look for choices that failed, and how it is begun again. */
export type FailedLook = { error: CallError; retry: () => void }
/** The failure of a read that looks for choices; undefined where it has none, or looks again. */
export const failedLook = (read: {
  error?: CallError | undefined
  isFetching: boolean
  refetch: () => void
}): FailedLook | undefined =>
  read.error && !read.isFetching ? { error: read.error, retry: read.refetch } : undefined
/**
 * What stands in the place of choices: they are looked for, they could not be read, or there are
 * none (`none` says of what).
 */
export const FoundNone = ({
  pending,
  failed,
  none = ['没有匹配', 'No match'],
}: {
  pending: boolean
  failed?: FailedLook | undefined
  none?: Text | undefined
}) => {
  const say = useSay()
  if (failed)
    return (
      <div className="m-found-none" role="alert">
        <span className="m-bad">{failed.error.message}</span>
        <Button
          size="small"
          variant="minimal"
          icon={<Refresh />}
          text={say(['重试', 'Retry'])}
          // The line that is typed in keeps the focus.
          onMouseDown={event => event.preventDefault()}
          onClick={failed.retry}
        />
      </div>
    )
  return (
    <div className="m-found-none m-muted">
      {pending ? say(['查找中…', 'Searching…']) : say(none)}
    </div>
  )
}

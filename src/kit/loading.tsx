import { useSay } from './text.ts'

/** The first load of a part; later loads keep the old rows, dimmed. */
export const Loading = ({ lines = 6 }: { lines?: number }) => {
  const say = useSay()
  return (
    <div className="m-lines" role="status" aria-label={say(['加载中', 'Loading'])}>
      {Array.from({ length: lines }, (_, i) => (
        <i key={i} style={{ width: `${92 - ((i * 37) % 45)}%` }} />
      ))}
    </div>
  )
}

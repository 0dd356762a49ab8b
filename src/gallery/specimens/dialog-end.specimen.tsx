import { Button } from '@blueprintjs/core'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { Keys } from '#src/kit/show.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'dialog-end',
  title: ['对话框的结尾', 'The end of a dialog'],
  states: [
    {
      name: ['要确认', 'To be confirmed'],
      height: 60,
      draw: () => (
        <DialogEnd close={() => {}}>
          <Button intent="primary">
            保存
            <Keys keys="↵" />
          </Button>
        </DialogEnd>
      ),
    },
    {
      name: ['只查看', 'Only shows'],
      height: 60,
      draw: () => (
        <DialogEnd shows close={() => {}}>
          {null}
        </DialogEnd>
      ),
    },
  ],
}

import { FileWindow } from '#src/kit/file-window.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'file-window',
  title: ['选择文件的窗口', 'A window that asks for a file'],
  states: [
    {
      name: ['还没有文件', 'No file yet'],
      layer: true,
      draw: close => (
        <FileWindow
          title="导入卡密"
          label="卡密文件"
          accept=".txt"
          send={() => Promise.resolve()}
          close={close}
        >
          <p>文本文件，每行一个。</p>
        </FileWindow>
      ),
    },
  ],
}

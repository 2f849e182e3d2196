import { Button, Menu } from '@mantine/core';
import { Icon } from '../../parts/icon.js';
import { useMay } from '../../session/use-session.js';
import { exportAddress, type Filters } from './audit.js';

/** The records of the search as a file. The browser fetches it itself: it may be larger than a page can hold. */
export function ExportMenu({ filters }: { readonly filters: Filters }) {
  const may = useMay();
  if (!may('export:Audit')) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={16} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={exportAddress(filters, 'jsonl')} download="audit.jsonl">
          JSON lines, with all that was recorded
        </Menu.Item>
        <Menu.Item component="a" href={exportAddress(filters, 'csv')} download="audit.csv">
          CSV, for a spreadsheet
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

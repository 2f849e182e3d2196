import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  Legend,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { shortCount } from '../amounts.js';
import type { Series, TimeChartProps } from './time-chart-props.js';
import classes from './time-chart.module.css';
import { moment, timeTicks } from './time-ticks.js';

const WORDS = { fill: 'var(--ws-dim)', fontSize: 12 };

/** Loaded with the first chart. Default export, since that is what `lazy` takes. */
export default function TimeChartDrawing(props: TimeChartProps) {
  const { series, points, kind = 'lines', format = shortCount, onChoose } = props;
  const ticks = timeTicks(points);
  const data = points.map(({ at, values }) => ({ at, ...values }));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={data}
        margin={{ top: 6, right: 8, bottom: 0, left: 0 }}
        barCategoryGap="12%"
        accessibilityLayer={false}
        {...(onChoose === undefined
          ? {}
          : {
              onClick: ({ activeLabel }) => {
                if (typeof activeLabel === 'string') onChoose(activeLabel);
              },
              style: { cursor: 'pointer' },
            })}
      >
        <CartesianGrid stroke="var(--ws-line)" vertical={false} />
        <XAxis
          dataKey="at"
          ticks={[...ticks.at]}
          tickFormatter={ticks.word}
          tick={WORDS}
          axisLine={false}
          tickLine={false}
          minTickGap={24}
        />
        <YAxis
          tick={WORDS}
          tickFormatter={format}
          width="auto"
          axisLine={false}
          tickLine={false}
          allowDecimals={props.format !== undefined}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: 'var(--ws-hover)', stroke: 'var(--ws-line-strong)' }}
          labelFormatter={(at) => (typeof at === 'string' ? moment(at) : at)}
          formatter={(value) => format(Number(value))}
          contentStyle={{
            background: 'var(--ws-surface)',
            border: '1px solid var(--ws-line)',
            borderRadius: 8,
            color: 'var(--ws-text)',
            fontSize: '0.85rem',
          }}
          itemStyle={{ padding: 0 }}
          itemSorter={({ dataKey }) => series.findIndex(({ key }) => key === dataKey)}
        />
        {series.length < 2 ? null : (
          <Legend
            iconType="circle"
            iconSize={8}
            itemSorter={null}
            formatter={(label: string) => <span className={classes['word']}>{label}</span>}
          />
        )}
        {series.map((one) => (kind === 'columns' ? columns(one) : area(one, kind)))}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

function columns({ key, label, colour }: Series) {
  return (
    <Bar
      key={key}
      dataKey={key}
      name={label}
      stackId="all"
      fill={`var(${colour})`}
      isAnimationActive={false}
    />
  );
}

function area({ key, label, colour }: Series, kind: 'lines' | 'stacked') {
  return (
    <Area
      key={key}
      dataKey={key}
      name={label}
      type="monotone"
      stroke={`var(${colour})`}
      fill={`var(${colour})`}
      fillOpacity={kind === 'stacked' ? 0.35 : 0.1}
      strokeWidth={2}
      isAnimationActive={false}
      {...(kind === 'stacked' ? { stackId: 'all' } : {})}
    />
  );
}

export default function MonthPage() {
  return <h1>Month</h1>;
}

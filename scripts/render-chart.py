"""Renders the chart with helm's own library: `render-chart.py CHART` reads {name: values} as JSON, and prints
{"lint": [problem], "rendered": {name: {template: text}}, "refused": {name: reason}}."""

import json
import sys

import helm_python as helm

chart_directory = sys.argv[1]
rendered, refused = {}, {}
with helm.Chart.load(chart_directory) as chart:
    for name, values in json.load(sys.stdin).items():
        try:
            chart.validate_schema(chart.merge_values(values))
            rendered[name] = chart.render(values, name="city", namespace="transit")
        except helm.HelmError as error:
            refused[name] = str(error)
lint = [f"{found['path']}: {found['error']}" for found in helm.lint(chart_directory)["messages"]]
json.dump({"lint": lint, "rendered": rendered, "refused": refused}, sys.stdout)

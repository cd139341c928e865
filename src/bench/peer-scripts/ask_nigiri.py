"""Asks nigiri, which knows no streets: from and to the stops near both places. Reads the question as JSON."""

import csv
import datetime
import io
import json
import math
import sys
import time
import zipfile

import pynigiri

RADIUS_M = 800
METRES_PER_SECOND = 1.0
METRES_PER_DEGREE = 111_195


def main():
    question = json.load(sys.stdin)
    date = datetime.date.fromisoformat(question["date"])
    started = time.perf_counter()
    sources = [pynigiri.TimetableSource(str(i), feed) for i, feed in enumerate(question["feeds"])]
    timetable = pynigiri.load_timetable(sources, str(date), str(date + datetime.timedelta(days=2)))
    load_seconds = time.perf_counter() - started
    stops = [stop for i, feed in enumerate(question["feeds"]) for stop in located(timetable, i, feed)]
    queries = [query(stops, pair, question["epochSeconds"]) for pair in question["pairs"]]
    arrivals, times = [], []
    for _ in range(2):  # the first round warms up
        arrivals, times = [], []
        for asked in queries:
            started = time.perf_counter()
            journeys = pynigiri.route(timetable, asked) if asked else []
            times.append((time.perf_counter() - started) * 1000)
            ends = [journey.arrival_time() * 60 - question["epochSeconds"] for journey in journeys]
            arrivals.append(min(ends, default=None))
    json.dump({"loadSeconds": load_seconds, "milliseconds": times, "arrivals": arrivals}, sys.stdout)


def located(timetable, number, feed):
    """Latitude, longitude and location of each stop of a feed."""
    with zipfile.ZipFile(feed) as archive, archive.open("stops.txt") as content:
        for row in csv.DictReader(io.TextIOWrapper(content, "utf-8-sig")):
            location = timetable.find_location(row["stop_id"], pynigiri.SourceIdx(number))
            if location is not None and row["stop_lat"] and row["stop_lon"]:
                yield float(row["stop_lat"]), float(row["stop_lon"]), location


def query(stops, pair, epoch_seconds):
    """The query of a pair, or None without stops at both places."""
    asked = pynigiri.Query()
    asked.start_time = epoch_seconds // 60
    asked.start_match_mode = asked.dest_match_mode = pynigiri.LocationMatchMode.INTERMODAL
    asked.start, asked.destination = near(stops, pair["from"]), near(stops, pair["to"])
    return asked if asked.start and asked.destination else None


def near(stops, place):
    """The stops around a place with whole minutes on foot."""
    lat, lon = place
    shrink = math.cos(math.radians(lat))
    offsets = []
    for stop_lat, stop_lon, location in stops:
        metres = math.hypot(stop_lat - lat, (stop_lon - lon) * shrink) * METRES_PER_DEGREE
        if metres <= RADIUS_M:
            offsets.append(pynigiri.Offset(location, math.ceil(metres / METRES_PER_SECOND / 60), 0))
    return offsets


main()
